#pragma once

#include "GameFramework/Actor.h"

class UStaticMesh;

enum class ECollisionEnabled
{
	NoCollision,
	QueryOnly
};

class UInstancedStaticMeshComponent : public USceneComponent
{
public:
	int32 AddInstance(const FTransform& Transform, bool bWorldSpace = false)
	{
		(void)bWorldSpace;
		Instances.Add(Transform);
		return Instances.Num() - 1;
	}

	TArray<int32> AddInstances(const TArray<FTransform>& Transforms, bool bShouldReturnIndices, bool bWorldSpace = false,
		bool bUpdateNavigation = true)
	{
		(void)bUpdateNavigation;
		TArray<int32> Indices;
		for (int32 Index = 0; Index < Transforms.Num(); ++Index)
		{
			const int32 Added = AddInstance(Transforms[Index], bWorldSpace);
			if (bShouldReturnIndices)
			{
				Indices.Add(Added);
			}
		}
		return Indices;
	}

	bool BatchUpdateInstancesTransforms(int32 Start, const TArray<FTransform>& Transforms, bool bWorldSpace = false,
		bool bMarkRenderStateDirty = false, bool bTeleport = false)
	{
		(void)bWorldSpace;
		(void)bTeleport;
		// Unreal draws no update without it.
		if (!bMarkRenderStateDirty || Start + Transforms.Num() > Instances.Num())
		{
			return false;
		}
		for (int32 Index = 0; Index < Transforms.Num(); ++Index)
		{
			Instances[Start + Index] = Transforms[Index];
		}
		return true;
	}

	void ClearInstances() { Instances.Empty(); }
	int32 GetInstanceCount() const { return Instances.Num(); }
	bool SetStaticMesh(UStaticMesh* NewMesh)
	{
		Mesh = NewMesh;
		return true;
	}
	void SetCollisionEnabled(ECollisionEnabled) {}

	TArray<FTransform> Instances;
	UStaticMesh* Mesh = nullptr;
};

#pragma once

#include "CoreMinimal.h"

class USceneComponent
{
public:
	virtual ~USceneComponent() = default;
	void SetupAttachment(USceneComponent* Parent) { AttachParent = Parent; }
	USceneComponent* AttachParent = nullptr;
};

struct FActorTickFunction
{
	bool bCanEverTick = false;
};

class AActor
{
public:
	virtual ~AActor() = default;
	virtual void BeginPlay() {}
	virtual void Tick(float) {}

	FActorTickFunction PrimaryActorTick;
	TObjectPtr<USceneComponent> RootComponent;

protected:
	template <class T>
	T* CreateDefaultSubobject(const TCHAR*)
	{
		Components.push_back(std::make_unique<T>());
		return static_cast<T*>(Components.back().get());
	}

private:
	std::vector<std::unique_ptr<USceneComponent>> Components;
};

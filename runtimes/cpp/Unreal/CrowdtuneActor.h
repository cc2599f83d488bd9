// The crowd of a place as an actor: meters are Unreal's hundreds, east is X, north is -Y (Unreal is left-handed).
#pragma once

#include "CoreMinimal.h"
#include "GameFramework/Actor.h"
#include "CrowdtuneActor.generated.h"

class UInstancedStaticMeshComponent;

namespace crowdtune {
class Crowd;
}

UCLASS()
class ACrowdtuneActor : public AActor
{
	GENERATED_BODY()

public:
	ACrowdtuneActor();

	virtual void BeginPlay() override;
	virtual void Tick(float DeltaSeconds) override;

	/** Null if a file could not be read. Include crowdtune/crowd.hpp to set find_way or to ask who is where. */
	crowdtune::Crowd* GetCrowd() const { return Crowd.Get(); }

	/** In the Content folder. */
	UPROPERTY(EditAnywhere, Category = "Crowdtune")
	FString PresetFile = TEXT("Crowdtune/preset.json");

	/** In the Content folder. */
	UPROPERTY(EditAnywhere, Category = "Crowdtune")
	FString PlaceFile = TEXT("Crowdtune/place.json");

	/** A mesh of yours is one meter in size, with its pivot in the middle. */
	UPROPERTY(VisibleAnywhere, Category = "Crowdtune")
	TObjectPtr<UInstancedStaticMeshComponent> People;

	UPROPERTY(VisibleAnywhere, Category = "Crowdtune")
	TObjectPtr<UInstancedStaticMeshComponent> Walls;

private:
	void DrawWalls();
	void DrawPeople();

	// Shared so that this header needs only the name of the class.
	TSharedPtr<crowdtune::Crowd> Crowd;

	// Time that the crowd has yet to walk, s.
	double Behind = 0.0;
};

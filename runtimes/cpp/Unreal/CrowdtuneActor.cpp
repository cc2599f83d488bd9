#include "CrowdtuneActor.h"

#include "Components/InstancedStaticMeshComponent.h"
#include "Engine/StaticMesh.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"
#include "UObject/ConstructorHelpers.h"

// Not Unreal's own JSON: this is the loader that crowdtune's cases test.
THIRD_PARTY_INCLUDES_START
#include "crowdtune/load.hpp"
THIRD_PARTY_INCLUDES_END

namespace
{
	constexpr double CentimetersPerMeter = 100.0;
	constexpr double PersonHeight = 1.75;
	constexpr double WallHeight = 1.0;
	constexpr double WallThickness = 0.1;

	/** A mesh of one meter, this long, wide and high (m), that stands on the ground and faces a direction. */
	FTransform Placed(crowdtune::Vec2 Center, crowdtune::Vec2 Facing, FVector Size)
	{
		const FVector Meters(Center.x, -Center.y, 0.5 * Size.Z);
		const double Yaw = FMath::RadiansToDegrees(FMath::Atan2(-Facing.y, Facing.x));
		return FTransform(FRotator(0.0, Yaw, 0.0), Meters * CentimetersPerMeter, Size);
	}

	nlohmann::json ReadContent(const FString& Name)
	{
		const FString Path = FPaths::Combine(FPaths::ProjectContentDir(), Name);
		FString Text;
		if (!FFileHelper::LoadFileToString(Text, *Path))
		{
			throw std::runtime_error(std::string("cannot read ") + TCHAR_TO_UTF8(*Path));
		}
		return crowdtune::parse(TCHAR_TO_UTF8(*Text), TCHAR_TO_UTF8(*Name));
	}
}

ACrowdtuneActor::ACrowdtuneActor()
{
	PrimaryActorTick.bCanEverTick = true;
	RootComponent = CreateDefaultSubobject<USceneComponent>(TEXT("Root"));
	People = CreateDefaultSubobject<UInstancedStaticMeshComponent>(TEXT("People"));
	Walls = CreateDefaultSubobject<UInstancedStaticMeshComponent>(TEXT("Walls"));
	static ConstructorHelpers::FObjectFinder<UStaticMesh> Cylinder(TEXT("/Engine/BasicShapes/Cylinder.Cylinder"));
	static ConstructorHelpers::FObjectFinder<UStaticMesh> Cube(TEXT("/Engine/BasicShapes/Cube.Cube"));
	People->SetStaticMesh(Cylinder.Object);
	Walls->SetStaticMesh(Cube.Object);
	for (UInstancedStaticMeshComponent* Component : {People.Get(), Walls.Get()})
	{
		Component->SetupAttachment(RootComponent);
		// The crowd keeps off walls by itself, and physics would be slow.
		Component->SetCollisionEnabled(ECollisionEnabled::NoCollision);
	}
}

void ACrowdtuneActor::BeginPlay()
{
	Super::BeginPlay();
	try
	{
		Crowd = MakeShared<crowdtune::Crowd>(crowdtune::load(ReadContent(PresetFile), ReadContent(PlaceFile)));
	}
	catch (const std::exception& Problem)
	{
		UE_LOG(LogTemp, Error, TEXT("Crowdtune: %s"), UTF8_TO_TCHAR(Problem.what()));
		return;
	}
	// People are drawn on the way of their last step, so the first tick makes one.
	Behind = Crowd->dt;
	DrawWalls();
}

void ACrowdtuneActor::Tick(float DeltaSeconds)
{
	Super::Tick(DeltaSeconds);
	if (!Crowd.IsValid())
	{
		return;
	}
	// After a long pause the crowd goes on from where it was; to catch up could take longer than the pause.
	Behind += FMath::Min(static_cast<double>(DeltaSeconds), 0.25);
	for (; Behind >= Crowd->dt; Behind -= Crowd->dt)
	{
		Crowd->step();
	}
	DrawPeople();
}

void ACrowdtuneActor::DrawWalls()
{
	Walls->ClearInstances();
	const std::vector<crowdtune::Edge>& Edges = Crowd->place.edges();
	// Every second edge is the other side of the same wall.
	for (size_t Index = 0; Index < Edges.size(); Index += 2)
	{
		const crowdtune::Edge& Edge = Edges[Index];
		const crowdtune::Vec2 Center = (Edge.from + Edge.to) * 0.5;
		// Beyond the ends of a ring walls are there once more, for the models only.
		if (Crowd->place.wrap(Center) == Center)
		{
			const FVector Size((Edge.to - Edge.from).length(), WallThickness, WallHeight);
			Walls->AddInstance(Placed(Center, Edge.along, Size));
		}
	}
}

void ACrowdtuneActor::DrawPeople()
{
	TArray<FTransform> Transforms;
	for (const crowdtune::Person& Person : Crowd->people)
	{
		// Frames come between two steps; without this people would jump from step to step.
		const crowdtune::Vec2 Center = Person.pos - Person.vel * (Crowd->dt - Behind);
		// Who stands faces where they want to go.
		const crowdtune::Vec2 Facing = Person.vel.length() > 0.1 ? Person.vel : Person.way;
		Transforms.Add(Placed(Center, Facing, FVector(2.0 * Person.radius, 2.0 * Person.radius, PersonHeight)));
	}
	if (People->GetInstanceCount() != Transforms.Num())
	{
		People->ClearInstances();
		People->AddInstances(Transforms, false);
	}
	else if (Transforms.Num() > 0)
	{
		People->BatchUpdateInstancesTransforms(0, Transforms, false, true, true);
	}
}

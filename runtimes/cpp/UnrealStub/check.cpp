// Runs CrowdtuneActor without Unreal and checks that instances are where the people and the walls are:
// `check CASE.json...`. Build it in the folder above:
// g++ -O2 -std=c++17 -Wall -Wextra -Werror -ffp-contract=off -I UnrealStub -I Unreal -I . UnrealStub/check.cpp
//     Unreal/CrowdtuneActor.cpp -o check && ./check ../cases/*.json

#include "CrowdtuneActor.h"

#include "Components/InstancedStaticMeshComponent.h"
#include "crowdtune/load.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>

namespace
{
	using crowdtune::Vec2;

	void Require(bool Holds, const char* What)
	{
		if (!Holds)
		{
			throw std::runtime_error(What);
		}
	}

	/** Where a point of the mesh is, in meters to the east and to the north. */
	Vec2 Seen(const FTransform& Instance, double X, double Y)
	{
		const FVector At = Instance.TransformPosition(FVector(X, Y, 0.0));
		return {At.X / 100.0, -At.Y / 100.0};
	}

	void CheckWalls(const ACrowdtuneActor& Actor, const crowdtune::Place& Place)
	{
		int32 Row = 0;
		for (std::size_t Index = 0; Index < Place.edges().size(); Index += 2)
		{
			const crowdtune::Edge& Edge = Place.edges()[Index];
			const Vec2 Center = (Edge.from + Edge.to) * 0.5;
			if (Place.wrap(Center) != Center)
			{
				continue;
			}
			// Unreal's meshes of 100 cm end at 50.
			const FTransform& Wall = Actor.Walls->Instances[Row++];
			Require((Seen(Wall, -50.0, 0.0) - Edge.from).length() < 1e-9, "a wall starts elsewhere");
			Require((Seen(Wall, 50.0, 0.0) - Edge.to).length() < 1e-9, "a wall ends elsewhere");
		}
		Require(Row == Actor.Walls->GetInstanceCount(), "there are more walls than should be");
	}

	void CheckCase(const std::string& File)
	{
		const nlohmann::json Test = crowdtune::read(File);
		UnrealStub::Files["Content/Crowdtune/preset.json"] = Test["preset"].dump();
		UnrealStub::Files["Content/Crowdtune/place.json"] = Test["place"].dump();
		crowdtune::Crowd Crowd = crowdtune::load(Test["preset"], Test["place"]);
		std::vector<crowdtune::Person> Before = Crowd.people;
		ACrowdtuneActor Actor;
		Actor.BeginPlay();
		Require(Actor.GetCrowd() != nullptr, "the files were not read");
		CheckWalls(Actor, Crowd.place);
		double Clock = 0.0, Worst = 0.0;
		int32 Most = 0;
		for (int Frame = 0; Frame < 1800; ++Frame)
		{
			// Frames of 1/60 s and now and then a long one; one is a pause, of which 1/4 s counts.
			const float Delta = Frame == 100 ? 5.0f : Frame % 50 == 7 ? 0.13f : 1.0f / 60.0f;
			Clock += Delta > 0.25f ? 0.25 : static_cast<double>(Delta);
			Actor.Tick(Delta);
			while (Crowd.time_s() <= Clock)
			{
				Before = Crowd.people;
				Crowd.step();
			}
			Require(Actor.People->GetInstanceCount() == static_cast<int32>(Crowd.people.size()), "people are missing");
			const double Share = 1.0 - (Crowd.time_s() - Clock) / Crowd.dt;
			for (std::size_t Row = 0, Old = 0; Row < Crowd.people.size(); ++Row, ++Old)
			{
				const crowdtune::Person& Person = Crowd.people[Row];
				for (; Before[Old].id != Person.id; ++Old)
				{
				}
				// Between the last two steps, the shorter way round in a ring.
				const Vec2 Way = Crowd.place.apart(Before[Old].pos, Person.pos);
				const Vec2 Wanted = Person.pos - Way * (1.0 - Share);
				const FTransform& Instance = Actor.People->Instances[static_cast<int32>(Row)];
				Worst = std::max(Worst, (Seen(Instance, 0.0, 0.0) - Wanted).length());
				if (Person.vel.length() > 0.1)
				{
					const Vec2 Front = Seen(Instance, 50.0, 0.0) - Seen(Instance, 0.0, 0.0);
					Require((Front - Person.vel.unit() * Person.radius).length() < 1e-9, "somebody faces elsewhere");
				}
			}
			Most = std::max(Most, Actor.People->GetInstanceCount());
		}
		Require(Worst < 1e-6, "somebody is elsewhere");
		std::printf("%s  %d people, then %d  %.1e m  ok\n", Test["name"].get<std::string>().c_str(), Most,
			Actor.People->GetInstanceCount(), Worst);
	}

	/** An actor without its files says so and does nothing. */
	void CheckMissing()
	{
		ACrowdtuneActor Actor;
		Actor.PlaceFile = TEXT("Crowdtune/nowhere.json");
		Actor.BeginPlay();
		Actor.Tick(1.0f);
		Require(Actor.GetCrowd() == nullptr && Actor.People->GetInstanceCount() == 0, "people without a place");
		Require(UnrealStub::Log.size() == 1, "a missing file is not logged");
		std::printf("logged: %s\n", UnrealStub::Log[0].c_str());
	}
}

int main(int Count, char** Words)
{
	try
	{
		for (int Index = 1; Index < Count; ++Index)
		{
			CheckCase(Words[Index]);
		}
		CheckMissing();
		return 0;
	}
	catch (const std::exception& Problem)
	{
		std::fprintf(stderr, "%s\n", Problem.what());
		return 1;
	}
}

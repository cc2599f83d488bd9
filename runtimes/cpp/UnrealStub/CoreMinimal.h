// As little of Unreal as CrowdtuneActor needs, to compile and run it where Unreal is not. Signatures are Unreal 5's.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using int32 = std::int32_t;
using TCHAR = char16_t;

#define TEXT(text) u##text
// Unreal defines these too: names in the runtime must not clash with them.
#define check(condition) UnrealStub::Checked(condition)
#define verify(condition) UnrealStub::Checked(condition)
#define ensure(condition) UnrealStub::Checked(condition)
#define PI (3.1415926535897932f)
// And Windows defines these.
#define near
#define far
#define NEAR near
#define FAR far

#define UCLASS(...)
#define UPROPERTY(...)
#define GENERATED_BODY() \
public: \
	using Super = AActor; \
\
private:
#define THIRD_PARTY_INCLUDES_START
#define THIRD_PARTY_INCLUDES_END

class FString
{
public:
	FString(const TCHAR* Text = TEXT("")) : Text(Text) {}
	const TCHAR* operator*() const { return Text.c_str(); }

private:
	std::u16string Text;
};

namespace UnrealStub
{
	inline bool Checked(bool Condition) { return Condition; }

	// Plain ASCII is enough here.
	inline std::string Narrow(const std::u16string& Text) { return std::string(Text.begin(), Text.end()); }
	inline std::u16string Wide(const std::string& Text) { return std::u16string(Text.begin(), Text.end()); }

	/** Files by path, and what was logged. */
	inline std::map<std::string, std::string> Files;
	inline std::vector<std::string> Log;

	inline void Print(const TCHAR* Format, const TCHAR* Word)
	{
		std::string Line = Narrow(Format);
		Line.replace(Line.find("%s"), 2, Narrow(Word));
		Log.push_back(Line);
	}
}

#define TCHAR_TO_UTF8(text) UnrealStub::Narrow(text).c_str()
#define UTF8_TO_TCHAR(text) UnrealStub::Wide(text).c_str()
#define UE_LOG(category, verbosity, ...) UnrealStub::Print(__VA_ARGS__)

struct FMath
{
	static double RadiansToDegrees(double Radians) { return Radians * (180.0 / 3.14159265358979323846); }
	static double Atan2(double Y, double X) { return std::atan2(Y, X); }
	static double Min(double A, double B) { return A < B ? A : B; }
};

struct FVector
{
	double X, Y, Z;
	FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
	FVector operator*(double Scale) const { return FVector(X * Scale, Y * Scale, Z * Scale); }
};

struct FRotator
{
	double Pitch, Yaw, Roll;
	FRotator(double InPitch, double InYaw, double InRoll) : Pitch(InPitch), Yaw(InYaw), Roll(InRoll) {}
};

/** Scales, turns by the yaw alone (from X to Y), then moves. */
class FTransform
{
public:
	FTransform(const FRotator& Rotation, const FVector& Location, const FVector& Scale)
		: Rotation(Rotation), Location(Location), Scale(Scale)
	{
	}

	FVector TransformPosition(const FVector& P) const
	{
		const double Yaw = Rotation.Yaw * (3.14159265358979323846 / 180.0);
		const double X = P.X * Scale.X, Y = P.Y * Scale.Y;
		return FVector(Location.X + std::cos(Yaw) * X - std::sin(Yaw) * Y,
			Location.Y + std::sin(Yaw) * X + std::cos(Yaw) * Y, Location.Z + P.Z * Scale.Z);
	}

private:
	FRotator Rotation;
	FVector Location;
	FVector Scale;
};

template <class T>
class TArray
{
public:
	int32 Num() const { return static_cast<int32>(Items.size()); }
	void Add(const T& Item) { Items.push_back(Item); }
	void Empty() { Items.clear(); }
	const T& operator[](int32 Index) const { return Items.at(static_cast<std::size_t>(Index)); }
	T& operator[](int32 Index) { return Items.at(static_cast<std::size_t>(Index)); }

private:
	std::vector<T> Items;
};

template <class T>
class TObjectPtr
{
public:
	TObjectPtr(T* Object = nullptr) : Object(Object) {}
	T* Get() const { return Object; }
	T* operator->() const { return Object; }
	operator T*() const { return Object; }

private:
	T* Object;
};

template <class T>
class TSharedPtr
{
public:
	TSharedPtr() = default;
	explicit TSharedPtr(std::shared_ptr<T> Object) : Object(std::move(Object)) {}
	bool IsValid() const { return Object != nullptr; }
	T* Get() const { return Object.get(); }
	T* operator->() const { return Object.get(); }
	T& operator*() const { return *Object; }

private:
	std::shared_ptr<T> Object;
};

template <class T, class... Args>
TSharedPtr<T> MakeShared(Args&&... Values)
{
	return TSharedPtr<T>(std::make_shared<T>(std::forward<Args>(Values)...));
}

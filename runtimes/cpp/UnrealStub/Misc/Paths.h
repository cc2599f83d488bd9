#pragma once

#include "CoreMinimal.h"

struct FPaths
{
	static FString ProjectContentDir() { return TEXT("Content/"); }
	static FString Combine(const FString& Folder, const FString& Name)
	{
		return FString((std::u16string(*Folder) + *Name).c_str());
	}
};

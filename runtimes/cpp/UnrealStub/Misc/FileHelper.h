#pragma once

#include "CoreMinimal.h"

struct FFileHelper
{
	static bool LoadFileToString(FString& Result, const TCHAR* Path)
	{
		const auto Found = UnrealStub::Files.find(UnrealStub::Narrow(Path));
		if (Found == UnrealStub::Files.end())
		{
			return false;
		}
		Result = FString(UnrealStub::Wide(Found->second).c_str());
		return true;
	}
};

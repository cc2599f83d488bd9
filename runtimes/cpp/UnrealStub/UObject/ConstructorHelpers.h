#pragma once

#include "CoreMinimal.h"

struct ConstructorHelpers
{
	template <class T>
	struct FObjectFinder
	{
		explicit FObjectFinder(const TCHAR*) : Object(&Found) {}
		T Found;
		T* Object;
	};
};

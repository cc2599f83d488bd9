#pragma once

class UStaticMesh
{
};



# Gives a NavigationAgent2D or NavigationAgent3D the settings of a group. `units` is how many units of the game make a meter: 1 in a
# 3D game in meters, and in 2D the pixels that you draw a meter with.
static func apply(agent, group, units):
	var settings = GROUPS[group]
	agent.set("avoidance_enabled", true)
	for key in settings["lengths"]:
		agent.set(key, settings["lengths"][key] * units)
	for key in settings["others"]:
		agent.set(key, settings["others"][key])


# The speed of the velocity to give to the agent.
static func desired_speed(group, units):
	return GROUPS[group]["desired_speed"] * units

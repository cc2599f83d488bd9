# Helbing, Farkas, Vicsek, Nature 407, 487 (2000): drive, repulsion, body contact and sliding friction.

const Crowd = preload("crowd.gd")
const Place = preload("place.gd")

# Constants by group.
var groups = []
# Mass of the lightest person, kg; says which repulsion is negligible.
var min_mass = 0.0
# Two people in contact: [row, other, xx, xy, yy].
var links = []


# Gap between bodies beyond which a repulsion is negligible, m.
func _felt(strength, force_range, negligible):
	return 0.0 if strength <= 0.0 else Place.upper(force_range * log(strength / min_mass / negligible), 0.0)


func _felt_by(c):
	return _felt(c.repulsion_strength_n, c.repulsion_range_m, c.negligible_m_per_s2)


# How far people feel each other, m.
func reach(people):
	var widest = 0.0
	for person in people:
		widest = Place.upper(widest, person.radius)
	var gap = 0.0
	for c in groups:
		gap = Place.upper(gap, _felt_by(c))
	return 2.0 * widest + gap


# Velocities of the next step: drive, friction, body force and walls are implicit.
func steer(place, people, cells, dt):
	links = []
	# Of each person the matrix xx, xy, yy and the right side.
	var rows = []
	var v = []
	for i in range(people.size()):
		rows.append(_row(place, people, cells, dt, i))
		v.append([people[i].vx, people[i].vy])
	for link in links:
		var row = rows[link[0]]
		row[0] += link[2]
		row[1] += link[3]
		row[2] += link[4]
	_solve(rows, v)
	return v


# The equation of one person. A matrix of two directions is along n n^T + across t t^T, t the normal of n.
func _row(place, people, cells, dt, i):
	var me = people[i]
	var c = groups[me.group]
	var stiffness = groups[0].body_stiffness_kg_per_s2
	var friction = groups[0].sliding_friction_kg_per_m_s
	var feels = _felt_by(c)
	var fx = 0.0
	var fy = 0.0
	var carried_x = 0.0
	var carried_y = 0.0
	var xx = 0.0
	var xy = 0.0
	var yy = 0.0
	for j in cells.around(me.x, me.y):
		if j == i:
			continue
		var other = people[j]
		var ax = place.apart_x(other.x, me.x)
		var ay = place.apart_y(other.y, me.y)
		var touch = me.radius + other.radius
		var d = sqrt(ax * ax + ay * ay)
		if d > touch + feels:
			continue
		var nx
		var ny
		if d > 1e-9:
			nx = ax * (1.0 / d)
			ny = ay * (1.0 / d)
		else:
			var part = Crowd.parting(me.id, other.id)
			nx = part[0]
			ny = part[1]
		var facing = nx * me.way_x + ny * me.way_y
		var seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - facing)
		var push = c.repulsion_strength_n * exp((touch - d) / c.repulsion_range_m) * seen
		if d >= touch:
			fx += nx * push
			fy += ny * push
			continue
		var overlap = touch - d
		var soft = dt * dt * push / c.repulsion_range_m
		xx += soft * (nx * nx)
		xy += soft * (nx * ny)
		yy += soft * (ny * ny)
		carried_x += soft * (nx * nx) * other.vx + soft * (nx * ny) * other.vy
		carried_y += soft * (nx * ny) * other.vx + soft * (ny * ny) * other.vy
		fx += nx * (push + stiffness * overlap)
		fy += ny * (push + stiffness * overlap)
		var along = dt * dt * stiffness
		var across = dt * friction * overlap
		links.append([i, j, along * (nx * nx) + across * (ny * ny), (along - across) * (nx * ny), along * (ny * ny) + across * (nx * nx)])
	var strength = c.wall_repulsion_strength_n if c.wall_repulsion else 0.0
	var force_range = c.wall_repulsion_range_m
	var near = place.contacts(me.x, me.y, me.radius + _felt(strength, force_range, c.negligible_m_per_s2))
	for k in range(0, near.size(), 3):
		var overlap = me.radius - near[k]
		var nx = near[k + 1]
		var ny = near[k + 2]
		var push = strength * exp(overlap / force_range)
		var along = dt * dt * push / force_range
		var across = 0.0
		fx += nx * push
		fy += ny * push
		if overlap > 0.0:
			fx += nx * (stiffness * overlap)
			fy += ny * (stiffness * overlap)
			along += dt * dt * stiffness
			across = dt * friction * overlap
		xx += along * (nx * nx) + across * (ny * ny)
		xy += (along - across) * (nx * ny)
		yy += along * (ny * ny) + across * (nx * nx)
	var drive = (me.speed if me.walks else 0.0) / c.relaxation_time_s * dt
	var inertia = me.mass * (1.0 + dt / c.relaxation_time_s)
	var right_x = (me.vx + me.way_x * drive) * me.mass + fx * dt + carried_x
	var right_y = (me.vy + me.way_y * drive) * me.mass + fy * dt + carried_y
	return [xx + inertia, xy, yy + inertia, right_x, right_y]


# Solves for the velocities by conjugate gradients, from the old ones.
func _solve(rows, v):
	var n = v.size()
	var product = _multiply(rows, v)
	var inverse = []
	var residual = []
	var search = []
	var rho = 0.0
	for i in range(n):
		var row = rows[i]
		var per = 1.0 / (row[0] * row[2] - row[1] * row[1])
		inverse.append([row[2] * per, -row[1] * per, row[0] * per])
		var rx = row[3] - product[i][0]
		var ry = row[4] - product[i][1]
		residual.append([rx, ry])
		search.append(_times(inverse[i], rx, ry))
		rho += rx * search[i][0] + ry * search[i][1]
	var stop = rho * 1e-26
	for _round in range(200):
		if rho <= stop or rho <= 1e-300:
			break
		product = _multiply(rows, search)
		var curvature = 0.0
		for i in range(n):
			curvature += search[i][0] * product[i][0] + search[i][1] * product[i][1]
		var alpha = rho / curvature
		var next = 0.0
		for i in range(n):
			v[i][0] += search[i][0] * alpha
			v[i][1] += search[i][1] * alpha
			residual[i][0] -= product[i][0] * alpha
			residual[i][1] -= product[i][1] * alpha
			product[i] = _times(inverse[i], residual[i][0], residual[i][1])
			next += residual[i][0] * product[i][0] + residual[i][1] * product[i][1]
		var beta = next / rho
		rho = next
		for i in range(n):
			search[i] = [product[i][0] + search[i][0] * beta, product[i][1] + search[i][1] * beta]


static func _times(m, x, y):
	return [m[0] * x + m[1] * y, m[1] * x + m[2] * y]


func _multiply(rows, v):
	var product = []
	for i in range(v.size()):
		product.append(_times(rows[i], v[i][0], v[i][1]))
	for link in links:
		var to = product[link[0]]
		var other = v[link[1]]
		to[0] -= link[2] * other[0] + link[3] * other[1]
		to[1] -= link[3] * other[0] + link[4] * other[1]
	return product

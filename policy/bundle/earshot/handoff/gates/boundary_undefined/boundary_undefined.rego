package earshot.handoff.gates.boundary_undefined

# METADATA
# title: Boundary undefined
# description: >-
#   The caller does not state what separates the memory of the agents, nor that it is kept apart.
# custom:
#   code: boundary_undefined
halt contains rego.metadata.rule().custom.code if {
	not input.handoff.boundary.stated == true
	not input.handoff.boundary.shared_substrate == false
}

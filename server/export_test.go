package server

// Routes returns "METHOD path" of every route.
func (s *Server) Routes() []string {
	var list []string
	for _, r := range s.echo.Routes() {
		list = append(list, r.Method+" "+r.Path)
	}
	return list
}

// ProblemCodes returns the codes of the table, in its order.
func ProblemCodes() []string {
	var list []string
	for _, p := range problems() {
		list = append(list, p.code)
	}
	return list
}

package wire

import "earshot/decisionlog"

// Accesses is a part of the register of questions, newest first.
type Accesses struct {
	Accesses []AccessLine `json:"accesses"`

	// NextCursor asks for the next page; null on the last one.
	NextCursor *string `json:"next_cursor"`
}

// AccessLine is an Access or an Unread.
type AccessLine interface{ access() }

// Access is one question that was asked of the log.
type Access struct {
	AccessID       string        `json:"access_id"`
	AskedAt        string        `json:"asked_at"`
	PolicyRevision string        `json:"policy_revision,omitzero"`
	RequestedBy    string        `json:"requested_by,omitzero"`
	Door           string        `json:"door"`
	Kind           string        `json:"kind"`
	Filters        AccessFilters `json:"filters"`
	Results        *int          `json:"results"` // null for a stream
	Log            *Log          `json:"log"`
}

func (Access) access() {}

// AccessFilters are the filters of a question, those that were stated.
type AccessFilters struct {
	DecisionID     string `json:"decision_id,omitzero"`
	Principal      string `json:"principal,omitzero"`
	Item           string `json:"item,omitzero"`
	Viewer         string `json:"viewer,omitzero"`
	Agent          string `json:"agent,omitzero"`
	Channel        string `json:"channel,omitzero"`
	Tenant         string `json:"tenant,omitzero"`
	Verdict        string `json:"verdict,omitzero"`
	Reason         string `json:"reason,omitzero"`
	PolicyRevision string `json:"policy_revision,omitzero"`
	Admit          *bool  `json:"admit,omitzero"`
	From           string `json:"from,omitzero"`
	To             string `json:"to,omitzero"`
	Limit          int    `json:"limit,omitzero"`
	Continued      bool   `json:"continued,omitzero"` // a page behind the first
}

// Unread is an entry of a register that retention has emptied, or that is damaged.
type Unread struct {
	Pruned  bool   `json:"pruned,omitzero"`
	Damaged bool   `json:"damaged,omitzero"`
	ID      string `json:"id,omitzero"`
	At      string `json:"at,omitzero"`
	Log     struct {
		Index uint64 `json:"index"`
	} `json:"log"`
}

func (Unread) access() {}

// EncodeAccesses returns the answer for a page.
func EncodeAccesses(page *decisionlog.AccessPage) Accesses {
	out := Accesses{Accesses: make([]AccessLine, len(page.Accesses)), NextCursor: cursor(page.Next)}
	for i := range page.Accesses {
		a := &page.Accesses[i]
		if a.Pruned || a.Damage != nil {
			out.Accesses[i] = encodeUnread(&a.Registered)
			continue
		}
		out.Accesses[i] = encodeAccess(a)
	}
	return out
}

func encodeUnread(r *decisionlog.Registered) Unread {
	out := Unread{Pruned: r.Pruned, Damaged: r.Damage != nil, ID: r.ID}
	if !r.At.IsZero() {
		out.At = stamp(r.At)
	}
	out.Log.Index = r.Log.Index
	return out
}

func encodeAccess(a *decisionlog.StoredAccess) Access {
	q := &a.Query
	out := Access{
		AccessID: a.Registered.ID, AskedAt: stamp(a.Registered.At), PolicyRevision: a.Registered.PolicyRevision,
		RequestedBy: a.RequestedBy, Door: a.Door, Kind: a.Kind, Log: position(a.Log),
		Filters: AccessFilters{
			DecisionID: a.DecisionID, Principal: a.Principal, Item: q.Item, Viewer: q.Viewer, Agent: q.Agent, Channel: q.Channel,
			Tenant: q.Tenant, Verdict: q.Verdict, Reason: q.Reason, PolicyRevision: q.PolicyRevision, Admit: q.Admit,
			From: instantText(q.From), To: instantText(q.To), Limit: q.Limit, Continued: q.Cursor != "",
		},
	}
	if a.Results != decisionlog.ResultsUnknown {
		out.Results = &a.Results
	}
	return out
}

package decisionlog

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// postingKind says which filter a posting serves.
type postingKind int64

// The kinds of posting. The key is the handle of a name, except where the comment says otherwise.
const (
	byID            postingKind = 1 // key: idKey
	byViewer        postingKind = 2
	byAgent         postingKind = 3
	byChannel       postingKind = 4
	byTenant        postingKind = 5
	byVerdict       postingKind = 6
	byReason        postingKind = 7 // of a candidate
	byRevision      postingKind = 8
	byAnyAdmitted   postingKind = 9  // key: 0
	byAnyDenied     postingKind = 10 // key: 0
	byViewersReason postingKind = 11
	byDamage        postingKind = 12 // key: 0; the payload could not be read
	byDamagedLeaf   postingKind = 13 // key: 0; not even the clock could be read

	// These lead to entries that are no decisions. Every other kind but byID leads to decisions only.
	byReceiptOf      postingKind = 14 // key: idKey of the decision
	byVerificationOf postingKind = 15 // key: handle of the decision's id
	byAccess         postingKind = 16 // key: 0
	byDispositionOf  postingKind = 17 // key: handle of the finding's id
	byFinding        postingKind = 18 // key: 0; verifications that found something
	byErasure        postingKind = 40 // key: 0
	byRetention      postingKind = 41 // key: 0

	// firstItem plus the handle of an item's id is a kind of its own, whose keys are the handles of
	// outcomes. There are few outcomes, so that one posting a candidate serves the filters by item,
	// with and without an admit and a reason.
	firstItem postingKind = 64
)

func byItem(id uint64) postingKind { return firstItem + postingKind(id) }

// posting says that the entry in one row matches one filter.
type posting struct {
	kind postingKind
	key  int64
	seq  int64
}

func (p posting) compare(q posting) int {
	return cmp.Or(cmp.Compare(p.kind, q.kind), cmp.Compare(p.key, q.key), cmp.Compare(p.seq, q.seq))
}

// idKey is where the index looks for a decision id. Different ids may share it.
func idKey(id string) int64 {
	sum := sha256.Sum256([]byte(id))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// postings returns the postings that one decision's payload gives, sorted and distinct. It needs
// documents, but no name, so it gives the same after any erasure.
func (v *values) postings(seq int64, l *leaf, stored []byte) ([]posting, error) {
	p, err := openPayload(l, stored)
	if err != nil {
		return nil, err
	}
	list := make([]posting, 0, 16+3*len(p.items))
	add := func(kind postingKind, handle uint64) {
		if handle != 0 {
			list = append(list, posting{kind, int64(handle), seq})
		}
	}
	add(byAgent, p.turn.agent)
	add(byChannel, p.turn.channel)
	add(byTenant, p.turn.tenant)
	add(byVerdict, p.verdict)
	add(byRevision, p.revision)
	for _, viewer := range v.members(p.turn.viewers) {
		add(byViewer, viewer)
	}
	list = v.itemPostings(list, seq, p.items, candidateDocument)
	for _, reason := range v.viewersReasons(p.viewers) {
		add(byViewersReason, reason)
	}
	if err := v.take(); err != nil {
		return nil, err
	}
	slices.SortFunc(list, posting.compare)
	return slices.Compact(list), nil
}

// itemPostings appends the postings of items, whose labels are documents of a kind that begins with an
// id.
func (v *values) itemPostings(list []posting, seq int64, items []item, kind documentKind) []posting {
	for _, item := range items {
		admit, reasons := v.outcomeHandles(item.outcome)
		byAny := byAnyDenied
		if admit {
			byAny = byAnyAdmitted
		}
		list = append(list, posting{byAny, 0, seq})
		if id := v.itemID(item.candidate, kind); id != 0 {
			list = append(list, posting{byItem(id), int64(item.outcome), seq})
		}
		for _, reason := range reasons {
			if reason != 0 {
				list = append(list, posting{byReason, int64(reason), seq})
			}
		}
	}
	return list
}

func (v *values) members(set uint64) []uint64 {
	if set == 0 {
		return nil
	}
	r := v.document(set, setDocument)
	return finish(v, r, readList(r, r.handle))
}

func (v *values) itemID(handle uint64, kind documentKind) uint64 {
	r := v.document(handle, kind)
	id := r.handle()
	if r.err != nil {
		v.fail(r.err)
	}
	return id
}

func (v *values) viewersReasons(handle uint64) []uint64 {
	r := v.document(handle, viewersDocument)
	r.flag() // known
	reasons := readList(r, r.handle)
	if r.err != nil {
		v.fail(r.err)
	}
	return reasons
}

func (v *values) outcomeHandles(handle uint64) (admit bool, reasons []uint64) {
	r := v.document(handle, outcomeDocument)
	admit, reasons = r.flag(), readList(r, r.handle)
	if r.err != nil {
		v.fail(r.err)
	}
	return admit, reasons
}

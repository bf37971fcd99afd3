package decisionlog

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// entryCost is what one document costs in memory beside its body, in bytes, about.
const entryCost = 128

// documentCache keeps the bodies of documents that were used last. Its bound is in bytes, since a
// document can be a few bytes or a megabyte.
type documentCache struct {
	most int

	mu   sync.Mutex
	lru  *simplelru.LRU[uint64, []byte] // guarded by mu
	size int                            // of all bodies and their cost; guarded by mu
}

func newDocumentCache(most int) (*documentCache, error) {
	c := &documentCache{most: most}
	lru, err := simplelru.NewLRU(math.MaxInt, func(_ uint64, body []byte) { c.size -= len(body) + entryCost })
	c.lru = lru
	return c, err
}

// Get returns the body of a document. The caller must not change it.
func (c *documentCache) Get(handle uint64) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lru.Get(handle)
}

// Add keeps a body, unless it is so large that it would drive out most others.
func (c *documentCache) Add(handle uint64, body []byte) {
	cost := len(body) + entryCost
	if cost > c.most/8 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lru.Contains(handle) {
		return
	}
	c.lru.Add(handle, body)
	c.size += cost
	for c.size > c.most {
		c.lru.RemoveOldest()
	}
}

// noDocuments makes every document be read and compared with its digest.
type noDocuments struct{}

func (noDocuments) Get(uint64) ([]byte, bool) { return nil, false }
func (noDocuments) Add(uint64, []byte)        {}

package engine

import (
	"context"

	"tidemark/backend/index"
	"tidemark/backend/ingest"
	"tidemark/backend/memory"
)

// store gives the index the shape that a pass asks for.
type store struct{ *index.Store }

var _ ingest.Store = store{}

// Known gives what is known of an agent's sources.
func (s store) Known(ctx context.Context, agent string) (map[string]ingest.Known, error) {
	sources, err := s.Sources(ctx, agent)
	if err != nil {
		return nil, err
	}
	known := make(map[string]ingest.Known, len(sources))
	for path, b := range sources {
		known[path] = ingest.Known{Checkpoint: b.Checkpoint, Gone: b.Gone}
	}
	return known, nil
}

// Names gives the origins of an agent's sessions.
func (s store) Names(ctx context.Context, agent string) ([]ingest.Named, error) {
	origins, err := s.Store.Names(ctx, agent)
	if err != nil {
		return nil, err
	}
	names := make([]ingest.Named, len(origins))
	for i, o := range origins {
		names[i] = ingest.Named(o)
	}
	return names, nil
}

// Begin opens a batch.
func (s store) Begin(ctx context.Context, agent string, src memory.Source, fresh bool) (ingest.Batch, error) {
	b, err := s.Store.Begin(ctx, agent, src, fresh)
	if err != nil {
		return nil, err
	}
	return b, nil
}

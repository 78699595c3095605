package openclaw

import "tidemark/backend/memory"

// row reads the entry whose opening brace is next.
func (s *rowScanner) row(key string) (Row, error) {
	d := rowDecoder{row: Row{Key: key}}
	if err := s.members(func(name []byte) error { return d.field(s, name) }); err != nil {
		return Row{}, err
	}
	if d.row.StartedAt == 0 {
		d.row.StartedAt = d.runStarted
	}
	if d.row.LastActivityAt == 0 {
		d.row.LastActivityAt = d.interaction
	}
	if d.row.Channel == "" {
		d.row.Channel = d.otherChannel
	}
	return d.row, nil
}

// rowDecoder fills a row, and holds what may be needed in place of a field
// that the entry turns out to lack.
type rowDecoder struct {
	row                     Row
	runStarted, interaction memory.Millis
	otherChannel            string
}

// field reads the value of one field, or skips it. Values of the wrong type
// are absent.
func (d *rowDecoder) field(s *rowScanner, name []byte) error {
	if to := d.text(name); to != nil {
		return s.text(to)
	}
	if to := d.moment(name); to != nil {
		return s.moment(to)
	}
	if to := d.count(name); to != nil {
		return s.count(to)
	}
	switch string(name) {
	case "totalTokensFresh":
		return s.truth(&d.row.TotalTokensFresh)
	case "forkedFromParent":
		return s.truth(&d.row.ForkedFromParent)
	case "usageFamilySessionIds":
		return s.texts(&d.row.UsageFamily)
	case "deliveryContext", "route":
		if s.space() == '{' {
			return s.members(func(inner []byte) error {
				if string(inner) == "channel" && d.otherChannel == "" {
					return s.text(&d.otherChannel)
				}
				return s.skip()
			})
		}
	}
	return s.skip()
}

func (d *rowDecoder) text(name []byte) *string {
	switch string(name) {
	case "sessionId":
		return &d.row.SessionID
	case "sessionFile":
		return &d.row.SessionFile
	case "model":
		return &d.row.Model
	case "modelProvider":
		return &d.row.Provider
	case "channel":
		return &d.row.Channel
	case "lastChannel":
		return &d.otherChannel
	case "chatType":
		return &d.row.ChatType
	case "label":
		return &d.row.Label
	case "displayName":
		return &d.row.DisplayName
	case "spawnedBy":
		return &d.row.SpawnedBy
	case "parentSessionKey":
		return &d.row.ParentKey
	case "status":
		return &d.row.Status
	}
	return nil
}

func (d *rowDecoder) moment(name []byte) *memory.Millis {
	switch string(name) {
	case "updatedAt":
		return &d.row.UpdatedAt
	case "sessionStartedAt":
		return &d.row.StartedAt
	case "startedAt":
		return &d.runStarted
	case "endedAt":
		return &d.row.EndedAt
	case "lastActivityAt":
		return &d.row.LastActivityAt
	case "lastInteractionAt":
		return &d.interaction
	case "memoryFlushAt":
		return &d.row.MemoryFlushAt
	}
	return nil
}

func (d *rowDecoder) count(name []byte) **int64 {
	switch string(name) {
	case "totalTokens":
		return &d.row.TotalTokens
	case "contextTokens":
		return &d.row.ContextTokens
	case "compactionCount":
		return &d.row.CompactionCount
	case "memoryFlushCompactionCount":
		return &d.row.MemoryFlushCompactionCount
	}
	return nil
}

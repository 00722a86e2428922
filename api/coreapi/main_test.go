package coreapi_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(pgtest.Tests{Tests: m}) }

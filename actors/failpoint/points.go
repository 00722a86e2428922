package failpoint

// points are all points, in the order in which an event and a daemon meet them. A point is named after the package that it is
// in; each stands in the code once.
var points = [...]string{
	"supervisor/beforeReap",
	"supervisor/midBoot",
	"supervisor/midRecover",
	"keyring/midKeys",
	"keyring/beforeKeysRename",
	"tally/midWrite",
	"tally/beforeSync",
	"tally/beforeRename",
	"supervisor/afterLeaving",
	"supervisor/afterKeyBound",
	"supervisor/afterJournalCreated",
	"supervisor/afterSpawn",
	"record/beforeCheckpointRename",
	"record/beforeRecordRename",
	"datafolder/beforeRename",
	"submission/midWrite",
	"submission/beforeSync",
	"submission/beforeRename",
	"webhook/midWrite",
	"webhook/beforeSync",
	"webhook/beforeRename",
	"webhook/afterTry",
	"api/afterAccepted",
	"api/beforeAnswered",
	"api/afterAnswered",
	"call/afterAccepted",
	"call/beforeAnswered",
	"call/afterAnswered",

	"adapter/afterRead",
	"adapter/afterTranslate",
	"adapter/beforeSend",
	"adapter/beforeCommand",
	"adapter/afterConfirm",
	"adapter/afterExit",

	"session/beforeStep",
	"session/afterStep",
	"session/beforeAppend",
	"session/beforePublish",
	"session/afterPublish",
	"session/midEffects",

	"journal/beforeRecord",
	"journal/midWrite",
	"journal/afterWrite",
	"journal/beforeSync",
	"journal/afterSync",
	"journal/beforeRoll",
	"journal/afterCreate",
	"journal/beforeSyncDir",
	"journal/afterSyncDir",
	"journal/beforeTruncate",
	"journal/afterTruncate",
	"journal/beforeIndexRename",
	"journal/beforeMark",
	"journal/midRemove",

	"raw/midWrite",
	"raw/afterPack",
	"raw/beforeSync",

	"queue/beforeAnswer",
	"api/afterAnswer",
	"stream/beforeLog",
	"stream/midFrame",

	"push/beforePush",
	"push/afterPush",
	"poll/beforePoll",
}

// Points lists the names of all points.
func Points() []string { return points[:] }

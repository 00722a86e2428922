package api

var typeDocs = map[string]string{}
var fieldDocs = map[string]string{}

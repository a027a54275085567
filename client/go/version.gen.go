// Code generated from openapi.json by npm run openapi. DO NOT EDIT.

package payments

// apiVersion is the version of the types of this package.
const apiVersion = "2026-11-01"

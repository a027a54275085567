package payments

import (
	"context"
	"iter"
)

// Clients are the programs that take tokens for the account.
type Clients struct{ c *Client }

// Create makes a client. Only this answer has its secret, and it gets no scope that this one lacks.
func (r *Clients) Create(
	ctx context.Context, body NewOAuthClient, options ...CallOption,
) (*OAuthClientWithSecret, error) {
	return send[OAuthClientWithSecret](ctx, r.c, opCreateClient, "", body, options)
}

// List returns all clients, the newest first.
func (r *Clients) List(
	ctx context.Context, params ListClientsParams, options ...CallOption,
) iter.Seq2[OAuthClient, error] {
	return list[OAuthClient](ctx, r.c, opListClients, "", params, options)
}

// Get reads a client.
func (r *Clients) Get(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opGetClient, id, nil, options)
}

// RotateSecret makes a new secret. The current one stays valid until its overlap has ended.
func (r *Clients) RotateSecret(
	ctx context.Context, id string, body OAuthClientSecretRotation, options ...CallOption,
) (*OAuthClientWithSecret, error) {
	return send[OAuthClientWithSecret](ctx, r.c, opRotateClientSecret, id, body, options)
}

// Disable refuses it new tokens, and revokes those it has within 5 s.
func (r *Clients) Disable(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opDisableClient, id, EmptyBody{}, options)
}

// Enable gives it tokens again. Its old ones stay revoked.
func (r *Clients) Enable(ctx context.Context, id string, options ...CallOption) (*OAuthClient, error) {
	return send[OAuthClient](ctx, r.c, opEnableClient, id, EmptyBody{}, options)
}

// Members are the people who may sign in to the console.
type Members struct{ c *Client }

// List returns all members, the newest first.
func (r *Members) List(
	ctx context.Context, params ListMembersParams, options ...CallOption,
) iter.Seq2[Member, error] {
	return list[Member](ctx, r.c, opListMembers, "", params, options)
}

// Create makes a member, who gets no scope that this client lacks.
func (r *Members) Create(ctx context.Context, body NewMember, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opCreateMember, "", body, options)
}

// Get reads a member.
func (r *Members) Get(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opGetMember, id, nil, options)
}

// Update changes the name or the role. It needs WithIfMatch. Another role ends the sessions of the member within 5 s.
func (r *Members) Update(
	ctx context.Context, id string, body MemberPatch, options ...CallOption,
) (*Member, error) {
	return send[Member](ctx, r.c, opUpdateMember, id, body, options)
}

// Disable ends the sessions of a member within 5 s, and refuses new ones.
func (r *Members) Disable(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opDisableMember, id, EmptyBody{}, options)
}

// Enable lets a member sign in again.
func (r *Members) Enable(ctx context.Context, id string, options ...CallOption) (*Member, error) {
	return send[Member](ctx, r.c, opEnableMember, id, EmptyBody{}, options)
}

// Sessions are where members are signed in to the console.
type Sessions struct{ c *Client }

// List returns the sessions that last, the newest first.
func (r *Sessions) List(
	ctx context.Context, params ListSessionsParams, options ...CallOption,
) iter.Seq2[Session, error] {
	return list[Session](ctx, r.c, opListSessions, "", params, options)
}

// Get reads a session, also one that has ended.
func (r *Sessions) Get(ctx context.Context, id string, options ...CallOption) (*Session, error) {
	return send[Session](ctx, r.c, opGetSession, id, nil, options)
}

// End ends a session, and refuses its tokens within 5 s.
func (r *Sessions) End(ctx context.Context, id string, options ...CallOption) (*Session, error) {
	return send[Session](ctx, r.c, opEndSession, id, EmptyBody{}, options)
}

// AuditEntries are what people did in the account, for a year.
type AuditEntries struct{ c *Client }

// List returns the entries, the newest first.
func (r *AuditEntries) List(
	ctx context.Context, params ListAuditEntriesParams, options ...CallOption,
) iter.Seq2[AuditEntry, error] {
	return list[AuditEntry](ctx, r.c, opListAuditEntries, "", params, options)
}

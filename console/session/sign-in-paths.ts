/** Where sign-in with the OIDC provider begins; a person who is signed in switches the account by it. */
export const oidcPath = '/sign-in/oidc';

/** Takes the choice of an account. */
export const choicePath = '/choose-account';

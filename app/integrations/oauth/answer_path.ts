/** Path of the provider's redirect, below the address of the service. */
export const ANSWER_PATH = '/integrations/oauth/callback'
/** Path of the page that posts a form to the provider, below the address of the service. */
export const PAGE_PATH = '/integrations/oauth/begin'

/** Returns the address that a provider leads the browser back to. */
export const redirectUriOf = (serviceUrl: string) => `${serviceUrl}${ANSWER_PATH}`

/** Returns the address of the service from a `redirectUriOf` it. */
export const serviceUrlOf = (redirectUri: string) => redirectUri.slice(0, -ANSWER_PATH.length)

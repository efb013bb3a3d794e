/** Path of the provider's redirect, below the address of the service. */
export const ANSWER_PATH = '/integrations/oauth/callback'
/** Path of the page that posts a form to the provider, below the address of the service. */
export const PAGE_PATH = '/integrations/oauth/begin'

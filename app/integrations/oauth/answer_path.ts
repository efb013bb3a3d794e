/** Where the provider sends the browser back to, below the address of the service. */
export const ANSWER_PATH = '/integrations/oauth/callback'

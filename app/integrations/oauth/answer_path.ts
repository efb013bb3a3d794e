/** Path of the provider's redirect, below the address of the service. */
export const ANSWER_PATH = '/integrations/oauth/callback'

/*
 * A typed client of the Tarmac API.
 */
export type { components, operations, paths } from './generated/openapi.js'
export { createTarmacClient, type TarmacClient, type TarmacOptions } from './client.js'
export { paginate, type ListPath } from './paginate.js'
export { orThrow, TarmacError, type Problem } from './problem.js'
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders } from './webhooks.js'

import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** What the service calls itself in the protocol. */
export const SERVER_INFO = { name: 'tarmac', title: 'Tarmac', version }

/** The revision of the protocol that is spoken here; earlier ones are left to the SDK. */
export const REVISION = '2026-07-28'

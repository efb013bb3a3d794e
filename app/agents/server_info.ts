import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** The service's identity in the protocol. */
export const SERVER_INFO = { name: 'tarmac', title: 'Tarmac', version }

/** The revision of the protocol that is spoken here; earlier ones are left to the SDK. */
export const REVISION = '2026-07-28'

/** All that are spoken. That of 2025-03-26 is none: its servers have to take batches. */
export const REVISIONS = [REVISION, '2025-11-25', '2025-06-18'] as const

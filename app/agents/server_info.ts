import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** The service's description of itself in the protocol. */
export const SERVER_INFO = { name: 'tarmac', title: 'Tarmac', version }

/** The protocol revision implemented here. Earlier ones are left to the SDK. */
export const REVISION = '2026-07-28'

/** All supported revisions. 2025-03-26 is not one: its servers have to accept batches. */
export const REVISIONS = [REVISION, '2025-11-25', '2025-06-18'] as const

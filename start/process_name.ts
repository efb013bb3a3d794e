import { randomBytes } from 'node:crypto'

/**
 * The unique name of this process. Leases and heartbeats refer to it, and its PostgreSQL sessions
 * carry it.
 */
export const processName = `prc_${randomBytes(10).toString('hex')}`

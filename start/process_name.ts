import { randomBytes } from 'node:crypto'

/**
 * The name of this process, which no other has or ever had: it is heard of by it, and its sessions
 * of PostgreSQL carry it.
 */
export const processName = `prc_${randomBytes(10).toString('hex')}`

import { homePath } from '#start/home'

export const uploads = {
  /** The folder in which uploads arrive, on the disk of this machine. */
  spool: homePath('tmp', 'uploads'),
  /** The folder of resumable uploads, which arrive in several requests. */
  parts: homePath('tmp', 'resumable'),
}

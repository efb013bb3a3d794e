import { holdsJobs } from '../jobs/claimed_jobs.js'
import { recordStorage, pruneJobs, pruneExpired, pruneUploads } from './chores.js'
import { fileNames } from '../core/files/file_names.js'
import { storedFileNames } from '../core/files/stored_file_names.js'
import type { Module } from '../api/module.js'
import { operations } from './routes.js'

/** Descriptions and probes of the service itself. */
export const service: Module = {
  name: 'foundation',
  operations,
  tags: { Service: 'API descriptions and health probes of the service.' },
  parameters: { code: { description: 'A problem code.', example: 'not_found' } },
  commands: () => import('./commands.js'),
  extensions: [fileNames.extend(storedFileNames), holdsJobs],
  work: [pruneExpired, pruneJobs, pruneUploads, recordStorage],
}

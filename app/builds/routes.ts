import { operations as candidateBuilds } from './routes/candidate_builds.js'
import { operations as customBuilds } from './routes/custom_builds.js'
import { operations as releaseBuilds } from './routes/release_builds.js'

export const operations = [...customBuilds, ...candidateBuilds, ...releaseBuilds]

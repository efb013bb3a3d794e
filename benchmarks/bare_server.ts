import { serve } from './reference/serve.js'
import { openStore } from './reference/store.js'

/*
 * The baseline of reads: the rows of a release as JSON, and nothing else. No key, no limits, no
 * validation, no entity tag, no names of owners.
 */
const store = await openStore()

// GET /v2/app/{appId}/releases/{releaseId}
serve(({ segments }) => store.detail(segments[3], segments[5]))

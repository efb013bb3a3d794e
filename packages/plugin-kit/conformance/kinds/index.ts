import type { TestedKind } from '../../fake/scenario.js'
import { chat } from './chat.js'
import { ci } from './ci.js'
import { experimentation } from './experimentation.js'
import { onCall } from './on_call.js'
import type { KindSuite } from './suite.js'

/** The suites of the kinds that have one. */
export const KIND_SUITES: { readonly [Each in TestedKind]?: KindSuite<Each> } = {
  chat,
  ci,
  experimentation,
  onCall,
}

import { modelOf } from '#foundation/core/database/model_of'
import { integrations } from '../tables.js'

/** An app's use of a connection. */
export default class Integration extends modelOf(integrations) {}

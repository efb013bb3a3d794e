import { modelOf } from '#foundation/core/database/model_of'
import { integrations } from '../tables.js'

/** What an app uses of a connection. */
export default class Integration extends modelOf(integrations) {}

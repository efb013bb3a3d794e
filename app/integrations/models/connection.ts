import { modelOf } from '#foundation/core/database/model_of'
import { connections } from '../tables.js'

/** An account at a provider that the organization is connected to. */
export default class Connection extends modelOf(connections) {}

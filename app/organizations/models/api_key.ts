import { modelOf } from '#foundation/core/database/model_of'
import { apiKeys } from '../tables.js'

/** A key for the API; only a hash of its secret is kept. */
export default class ApiKey extends modelOf(apiKeys) {}

import { modelOf } from '#foundation/core/database/model_of'
import { apiKeys } from '../tables.js'

/** A key for the API. Only a hash of its secret is stored. */
export default class ApiKey extends modelOf(apiKeys) {}

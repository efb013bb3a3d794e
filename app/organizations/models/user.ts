import { modelOf } from '#foundation/core/database/model_of'
import { users } from '../tables.js'

/** A person of an organization. */
export default class User extends modelOf(users) {}

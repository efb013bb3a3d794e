import { modelOf } from '#foundation/core/database/model_of'
import { groups } from '../tables.js'

/** A group of users with the user actions its members and keys may use. */
export default class Group extends modelOf(groups) {}

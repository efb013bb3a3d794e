import { modelOf } from '#foundation/core/database/model_of'
import { destinations } from '../tables.js'

/** A store, bundle id or label that the app's releases go to. */
export default class Destination extends modelOf(destinations) {}

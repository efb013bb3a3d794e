import { untenantedModelOf } from '#foundation/core/database/model_of'
import { organizations } from '../tables.js'

/** A tenant: everything else belongs to one. */
export default class Organization extends untenantedModelOf(organizations) {}

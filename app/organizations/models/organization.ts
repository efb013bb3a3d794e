import { untenantedModelOf } from '#foundation/core/database/model_of'
import { organizations } from '../tables.js'

/** A tenant, to which everything else belongs. */
export default class Organization extends untenantedModelOf(organizations) {}

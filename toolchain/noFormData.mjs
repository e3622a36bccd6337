/** Replaces the package form-data in bundles: axios imports its class, though no request of the provider has a form. */
export default class FormData {}

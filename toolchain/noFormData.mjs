/** Stands for the package form-data in bundles: axios wants the class, and no request here has a form. */
export default class FormData {}

export const command = {summary:'', usage:'doctor', run: async () => 1};
